import { z } from 'zod';
import { inputError } from '../domain/errors.ts';
import { line, nameList } from './input-forms.ts';
import { publicationForm, type PublicationInputs } from './publication-inputs.ts';
import { readInputs, type InputSource } from './read-inputs.ts';

/** The inputs of report/action.yml that say what is reported. */
export const sourceForm = z.object({
  folder: line().exactOptional(),
  workflow: z
    .string()
    .regex(/^\.github\/workflows\/[\w.-]+\.ya?ml$/, 'the path of a workflow, as .github/workflows/drainwatch.yml')
    .exactOptional(),
  events: nameList.prefault('pull_request'),
});

/** What is reported: a folder of this very workflow, or the artifacts of the run that triggered it. */
export type ReportSource =
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'triggering-run'; readonly workflow: string; readonly events: readonly string[] };

export interface ReportInputs {
  readonly source: ReportSource;
  readonly publication: PublicationInputs;
}

/** @throws {ActionableError} of kind `input` that names every wrong input and what is allowed. */
export function readReportInputs(source: InputSource): ReportInputs {
  const [{ folder, workflow, events }, publication] = readInputs([sourceForm, publicationForm], source);
  if (folder !== undefined) return { source: { kind: 'folder', path: folder }, publication };
  if (workflow !== undefined) return { source: { kind: 'triggering-run', workflow, events }, publication };
  throw inputError({
    expected: 'input `workflow`, the path of the workflow whose artifact is reported, or input `folder`',
    found: 'neither is given',
    remedy: 'add it to the `with:` of the step',
  });
}
