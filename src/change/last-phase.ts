/** The phase after which a change stops: `tried` is `checked`, with the dry runs that the change begins with; `finished` is its end. */
export type LastPhase = 'decided' | 'checked' | 'tried' | 'finished';

/**
 * How much of the cluster counts: nothing (--dry-run=client); what it serves (--dry-run=server, as in Helm); or that and
 * the kinds that the chart's own CRDs will bring, as it will be when the manifests are sent.
 */
export type ClusterKnowledge = 'nothing' | 'served' | 'served-and-declared';
