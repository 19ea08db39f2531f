import { annotations } from '../../manifest/annotations.ts';
import { titleOf } from '../../manifest/resource-id.ts';
import type { Hazard, HazardInput } from './hazard.ts';

const { readinessSuccess, readinessFailure } = annotations;

/** Resources with one of the two readiness annotations: only both together replace the built-in rules. */
export const readinessHazards = ({ objects }: HazardInput): readonly Hazard[] =>
  objects.flatMap(({ object, source }): readonly Hazard[] => {
    const given: Readonly<Record<string, unknown>> = object.metadata.annotations ?? {};
    const hasSuccess = given[readinessSuccess] !== undefined;
    const hasFailure = given[readinessFailure] !== undefined;
    if (hasSuccess === hasFailure) return [];
    const [present, missing] = hasSuccess ? [readinessSuccess, readinessFailure] : [readinessFailure, readinessSuccess];
    const message = `${titleOf(object)} has ${present} without ${missing}, so the built-in readiness rules decide; set both or neither`;
    return [{ kind: 'one-sided-readiness', source, resource: titleOf(object), message }];
  });
