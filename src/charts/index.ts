import { Registry } from '../domain/registry.ts';
import { controlPlane } from './control-plane.ts';
import { deadEndpointWindow } from './dead-endpoint-window.ts';
import { detection } from './detection.ts';
import { ends } from './ends.ts';
import { kubernetesVersions } from './kubernetes-versions.ts';
import { mechanism } from './mechanism.ts';
import { newConnections } from './new-connections.ts';
import { outcomes } from './outcomes.ts';
import { proxyModes } from './proxy-modes.ts';
import { timeline } from './timeline/timeline.ts';
import { windows } from './windows.ts';

/** In the order of reports. */
export const charts = new Registry('chart', [
  outcomes,
  proxyModes,
  kubernetesVersions,
  deadEndpointWindow,
  ends,
  controlPlane,
  windows,
  newConnections,
  mechanism,
  detection,
  timeline,
]);
