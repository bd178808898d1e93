import { firstEvent, podOf } from '../domain/event.ts';
import { measured, notMeasured } from '../domain/measured.ts';
import type { Metric } from '../domain/metric.ts';

export const triggerToReplacementReady: Metric = {
  name: 'trigger-to-replacement-ready',
  label: 'replacement ready',
  description: 'From the trigger to the first EndpointSlice that says ready of another pod than the one that is ended.',
  unit: 'ms',
  better: 'lower',
  publishedAs: null,
  measure({ timeline, pod, unobservable }) {
    if (!timeline.some((event) => podOf(event) === pod)) return notMeasured('nothing was observed of the pod itself');
    const later = timeline.filter((event) => podOf(event) !== pod && event.at.tMs >= 0);
    const ready = firstEvent(later, 'endpoint-ready');
    if (ready !== undefined) return measured({ value: ready.at.tMs, precision: ready.at.precision.kind });
    const reason = unobservable['endpoint-ready'];
    return notMeasured(
      reason === undefined
        ? 'no other pod became ready after the trigger'
        : `endpoint-ready can't be observed: ${reason}`,
    );
  },
};
