import { hash32 } from '../api/ids.ts';
import type { Service } from '../kubernetes.ts';
import { type ControllerContext, controllerOfKind } from './context.ts';
import type { Controller } from './manager.ts';

/** Gives each LoadBalancer Service an address. */
export function serviceController(context: ControllerContext): Controller {
  const kind = context.kind('v1', 'Service');
  return controllerOfKind<Service>(context, {
    name: 'service',
    kind,
    reconcile(service, key) {
      if (service.metadata.deletionTimestamp !== undefined) return;
      const isBalanced = service.spec?.type === 'LoadBalancer';
      const given = (service.status?.loadBalancer?.ingress ?? []).length > 0;
      if (isBalanced === given) return;
      const number = hash32(key) % 65_000;
      const ip = `198.18.${(number >> 8) & 0xff}.${number & 0xff || 1}`;
      context.setStatus(kind, service, { loadBalancer: isBalanced ? { ingress: [{ ip, ipMode: 'VIP' }] } : {} });
    },
  });
}
