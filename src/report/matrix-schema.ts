import { z } from 'zod';
import { proxyModes } from '../proxy-modes/index.ts';
import { scenarios } from '../scenarios/index.ts';
import { clusterReuses, type Matrix } from '../domain/matrix.ts';

/** A whole number in a range that its error names. */
function wholeNumber(meaning: string, least: number, most: number) {
  const error = `a whole number from ${least} to ${most}`;
  return z.int(error).min(least, error).max(most, error).describe(`${meaning} ${least} to ${most}.`);
}

/** A number in a range that its error names; a fraction is allowed. */
function number(meaning: string, least: number, most: number) {
  const error = `a number from ${least} to ${most}`;
  return z.number(error).min(least, error).max(most, error).describe(`${meaning} ${least} to ${most}.`);
}

const level = (meaning: string) => z.string(`the name of ${meaning}`).min(1, `the name of ${meaning}`);

const versionRule = 'a version such as v1.34.0, as text (quoted where it has one dot only)';

const flowCount = (protocol: string) => wholeNumber(`${protocol} flows to hold.`, 0, 5000);
const flowsRule = 'at least one flow, TCP or UDP';
const tooFewFlows = ({ tcp, udp }: { readonly tcp: number; readonly udp: number }) => tcp + udp > 0;

const concurrencyRule = 'a whole number from 1 to 50, or auto';

/** What holds of a matrix wherever it is read, a rule a field. */
export const matrixRules = {
  name: z
    .string('a name')
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'lower-case letters, digits and single hyphens')
    .max(40, 'at most 40 characters')
    .describe('Names the experiment; lower-case letters, digits and hyphens, 40 at most.'),
  description: z.string('a text').describe('What the experiment is for, in a sentence.'),
  scenarios: z
    .array(level('a scenario'), 'a list of scenario names')
    .min(1, 'at least one scenario')
    .describe(
      `What the workload does on SIGTERM and how it is asked to stop; an arm each. Known: ${scenarios.names().join(', ')}.`,
    ),
  proxyModes: z
    .array(level('a kube-proxy mode'), 'a list of kube-proxy modes')
    .describe(
      `kube-proxy modes to run every scenario under; known: ${proxyModes.names().join(', ')}. Empty: the provider's own.`,
    ),
  kubernetesVersions: z
    .array(z.string(versionRule).regex(/^v\d+\.\d+(\.\d+(-[0-9A-Za-z.-]+)?)?$/, versionRule), 'a list of versions')
    .describe("Kubernetes versions to run every scenario on, such as v1.34.0. Empty: the provider's default."),
  repeats: wholeNumber('Measured trials of each arm.', 1, 1000),
  gracePeriodSeconds: wholeNumber("The pod's terminationGracePeriodSeconds.", 1, 3600),
  flows: z
    .strictObject({ tcp: flowCount('TCP'), udp: flowCount('UDP') }, 'an object with tcp and udp')
    .refine(tooFewFlows, flowsRule)
    .describe('Flows to hold open to the pod; at least one in all.'),
  tcpHeartbeatMs: wholeNumber('Milliseconds between two messages on a TCP flow.', 10, 2000),
  udpIntervalMs: wholeNumber('Milliseconds between two datagrams on a UDP flow: the resolution of its end.', 1, 1000),
  newConnectionIntervalMs: wholeNumber(
    'Milliseconds between two new connections, TCP and UDP each, that are dialled all along; 0 dials none.',
    0,
    1000,
  ),
  evidence: z
    .boolean('true or false')
    .describe(
      'Whether evidence of what ended each flow is collected on the nodes: packets, connection tracking, rules, and the API server’s audit log.',
    ),
  settleSeconds: number('Seconds between the preflight and the trigger.', 0, 600),
  trailingSeconds: number('Seconds to go on observing after everything ended.', 0, 120),
  clusterReuse: z
    .enum(clusterReuses, `one of ${clusterReuses.join(', ')}`)
    .describe('Whether every scenario gets a fresh cluster, or all with the same proxy mode and version share one.'),
  concurrency: z
    .union([z.literal('auto'), z.int().min(1, concurrencyRule).max(50, concurrencyRule)], concurrencyRule)
    .describe(
      'Trials at once on one cluster, 1 to 50, their critical moments kept apart; auto: as many as were shown to move no number.',
    ),
} satisfies { readonly [K in keyof Matrix]: z.ZodType<Matrix[K]> };

/** A matrix as reports hold it: nothing is left to defaults. What earlier runs do not tell of, they did not have. */
export const matrixSchema = z.strictObject({
  ...matrixRules,
  concurrency: matrixRules.concurrency.default(1),
  newConnectionIntervalMs: matrixRules.newConnectionIntervalMs.default(0),
  evidence: matrixRules.evidence.default(false),
}) satisfies z.ZodType<Matrix>;

/** A matrix as people write it: what all trials of the published run shared is the default. */
export const matrixFileSchema = z
  .strictObject({
    $schema: z.string('the address of this schema').optional().describe('Where editors find this schema; not read.'),
    ...matrixRules,
    proxyModes: matrixRules.proxyModes.default([]),
    kubernetesVersions: matrixRules.kubernetesVersions.default([]),
    repeats: matrixRules.repeats.default(5),
    gracePeriodSeconds: matrixRules.gracePeriodSeconds.default(30),
    flows: z
      .strictObject(
        { tcp: flowCount('TCP').default(10), udp: flowCount('UDP').default(10) },
        'an object with tcp and udp',
      )
      .refine(tooFewFlows, flowsRule)
      .describe('Flows to hold open to the pod; at least one in all.')
      .default({ tcp: 10, udp: 10 }),
    tcpHeartbeatMs: matrixRules.tcpHeartbeatMs.default(500),
    udpIntervalMs: matrixRules.udpIntervalMs.default(15),
    newConnectionIntervalMs: matrixRules.newConnectionIntervalMs.default(0),
    evidence: matrixRules.evidence.default(false),
    settleSeconds: matrixRules.settleSeconds.default(10),
    trailingSeconds: matrixRules.trailingSeconds.default(3),
    clusterReuse: matrixRules.clusterReuse.default('fresh-per-scenario'),
    concurrency: matrixRules.concurrency.default(1),
  })
  .describe('An experiment of drainwatch as data: the factors, the repeats, and the conditions that all trials share.');
