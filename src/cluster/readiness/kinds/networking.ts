import type { RulesByGroup } from './rule.ts';

const attached = { doubtful: ['ResolvedRefs=False', 'Accepted=False'], ready: ['Accepted'] };
const gloo = {
  paused: ['.statuses.*.state=Pending|0'],
  doubtful: ['.statuses.*.state=Rejected|Warning|2|3', '.state=Rejected|Warning|2|3'],
};

/** Gateway API and its implementations, ingress controllers, service meshes, certificates. */
export const networking: RulesByGroup = {
  'gateway.networking.k8s.io': {
    GatewayClass: { ready: ['Accepted'] },
    Gateway: {
      doubtful: ['Accepted=False', 'ResolvedRefs=False', 'Conflicted', 'Programmed:Invalid'],
      ready: ['Accepted', 'Programmed'],
    },
    ListenerSet: {
      doubtful: ['Accepted=False', 'ResolvedRefs=False', 'Conflicted', 'Accepted:ListenersNotValid'],
      ready: ['Accepted', 'Programmed'],
    },
    ReferenceGrant: 'never-reports',
    '*': { ...attached, waiting: ['Programmed=False'] },
  },
  'gateway.envoyproxy.io': {
    EnvoyProxy: 'never-reports',
    HTTPRouteFilter: 'never-reports',
    '*': attached,
  },
  'microgateway.airlock.com': { '*': { ...attached, ready: ['.ancestors.*.controllerName'] } },
  'gateway.solo.io': { '*': gloo },
  'gloo.solo.io': { '*': gloo },
  'projectcontour.io': {
    HTTPProxy: {
      settled: ['.spec.includes.*.name'],
      doubtful: ['.currentStatus=invalid'],
      ready: ['.currentStatus=valid'],
    },
    ExtensionService: { doubtful: ['Valid=False'], ready: ['Valid'] },
    '*': { needsNoStatus: true },
  },
  'traefik.io': { '*': 'never-reports' },
  'traefik.containo.us': { '*': 'never-reports' },
  'configuration.konghq.com': { '*': { doubtful: ['Programmed=False'], needsNoStatus: true } },
  'networking.istio.io': { '*': 'never-reports' },
  'security.istio.io': { '*': 'never-reports' },
  'telemetry.istio.io': { '*': 'never-reports' },
  'extensions.istio.io': { '*': 'never-reports' },
  'install.istio.io': { IstioOperator: { doubtful: ['.status=ERROR'], ready: ['.status=HEALTHY'] } },
  'sailoperator.io': {
    IstioRevisionTag: { doubtful: ['Reconciled=False'], ready: ['Reconciled'] },
    '*': { doubtful: ['Reconciled=False'], ready: ['Ready'] },
  },
  'policy.linkerd.io': { '*': { doubtful: ['Accepted=False', 'ResolvedRefs=False'], needsNoStatus: true } },
  'cilium.io': { '*': { doubtful: ['Valid=False'], needsNoStatus: true } },
  'crd.projectcalico.org': { '*': 'never-reports' },
  'metallb.io': { '*': 'never-reports' },
  'externaldns.k8s.io': { DNSEndpoint: {} },
  'networking.gke.io': {
    ManagedCertificate: {
      doubtful: ['.certificateStatus=ProvisioningFailed|ProvisioningFailedPermanently|RenewalFailed'],
      ready: ['.certificateStatus=Active'],
    },
    FrontendConfig: 'never-reports',
  },
  'cloud.google.com': { BackendConfig: 'never-reports' },
  'route.openshift.io': { Route: { doubtful: ['Admitted=False'], ready: ['Admitted'] } },
  'cert-manager.io': {
    Certificate: { doubtful: ['Issuing:Failed'], waiting: ['Issuing'], ready: ['Ready'] },
    CertificateRequest: { failed: ['Denied', 'InvalidRequest', 'Ready:Failed'], ready: ['Ready'] },
    '*': { ready: ['Ready'] },
  },
  'certmanager.k8s.io': { '*': { ready: ['Ready'] } },
  'acme.cert-manager.io': {
    '*': { failed: ['.state=invalid|expired|errored'], ready: ['.state=valid|ready'] },
  },
  'trust.cert-manager.io': { Bundle: { doubtful: ['Synced=False'], ready: ['Synced'] } },
  'proclaim.dogmatiq.io': {
    DNSSDServiceInstance: { doubtful: ['Adopted=False', 'Advertised=False'], ready: ['Discoverable'] },
  },
};
