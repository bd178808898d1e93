import type { EventSink } from './event.ts';
import type { ServicePath } from './new-connections.ts';
import type { PreflightResult } from './preflight.ts';
import type { ProbeBehavior } from './scenario.ts';
import type { Unobservable } from './trial.ts';
import type { Termination } from './trigger.ts';

/** What to run for one trial. */
export interface WorkloadSpec {
  /** Unique within the run; names the namespace or the process. */
  readonly name: string;
  readonly behavior: ProbeBehavior;
  readonly gracePeriodSeconds: number;
  readonly drainSeconds: number;
  /** Whether new connections will be dialled to it: then what is needed on its other paths is made too. */
  readonly dialled?: boolean;
}

/** Where flows are dialled: the Service's address as a client meets it. */
export interface Endpoint {
  readonly address: string;
  readonly tcpPort: number;
  readonly udpPort: number;
}

/** What the probe said of its clock when it started (probe/PROTOCOL.md). */
export interface ProbeClock {
  /** Pod and process instance: whose clock it is. */
  readonly identity: string;
  /** Null where the kernel has none. */
  readonly bootId: string | null;
  /** `/proc/self/timens_offsets`, monotonic: `0n` without time namespaces, null when it can't be read. */
  readonly timeNamespaceOffsetNs: bigint | null;
}

/** Where in a cluster a pod runs. */
export interface Placement {
  readonly namespace: string;
  readonly podAddress: string;
  readonly node: string;
  /** The runtime's identifier of the pod's container; null where the cluster does not tell it. */
  readonly containerId: string | null;
}

/** The probe, deployed and ready, one pod by design. Disposing removes everything that deploying made. */
export interface Workload extends AsyncDisposable {
  /** The pod's name; for a plain process, a name in its place. */
  readonly pod: string;
  /** Pod and process instance, as the probe's answers carry it. */
  readonly identity: string;
  readonly endpoint: Endpoint;
  /** Other ways to it, for new connections; absent where there are none, or none are dialled. */
  readonly otherPaths?: readonly ServicePath[];
  /** Absent for a plain process, and where the cluster does not tell it. */
  readonly placement?: Placement;
  readonly clock: ProbeClock;
  readonly termination: Termination;
  /** Invariants that only the host can check: watches, endpoint, proxy mode. */
  preflight(signal: AbortSignal): Promise<readonly PreflightResult[]>;
  /** Events of the pod that were missed so far, with the reason; absent where nothing can be missed. */
  readonly unobserved?: Unobservable;
  /** Resolves when the pod is gone and all that its host will tell of it was told. Never rejects. */
  readonly gone: Promise<void>;
  /** Stops observing and removes nothing: where the cluster ends next, its objects end with it. */
  leave(): Promise<void>;
}

/** Deploys workloads and streams what it observes of them into `sink` until they are disposed. */
export interface WorkloadHost {
  deploy(spec: WorkloadSpec, sink: EventSink, signal: AbortSignal): Promise<Workload>;
}
