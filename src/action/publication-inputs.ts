import { z } from 'zod';
import { commentModes } from '../github/comment-policy.ts';
import { artifactStem, branchName, line, oneOf, wholeNumber, yesOrNo } from './input-forms.ts';

/** What fails the step, from the most to the least. */
export const failureRules = ['inconclusive', 'unexpected', 'never'] as const;
export type FailureRule = (typeof failureRules)[number];

/** Where charts go as pictures; `branch` includes the artifact. */
export const chartUses = ['artifact', 'branch', 'none'] as const;

/** Inputs that both actions have: what becomes of a result. The defaults are those of action.yml. */
export const publicationForm = z.object({
  failOn: oneOf(failureRules).prefault('inconclusive'),
  githubToken: line(4000).exactOptional(),
  comment: oneOf(commentModes).prefault('always'),
  commentKey: line(100).prefault('default'),
  commentAuthor: line(100).exactOptional(),
  check: yesOrNo.prefault('true'),
  checkName: line(100).prefault('drainwatch'),
  charts: oneOf(chartUses).prefault('artifact'),
  chartsBranch: branchName.prefault('drainwatch-images'),
  artifact: yesOrNo.prefault('true'),
  artifactName: artifactStem.exactOptional(),
  artifactRetentionDays: wholeNumber(1, 400).exactOptional(),
});

export type PublicationInputs = Readonly<z.infer<typeof publicationForm>>;
