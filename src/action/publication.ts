import type { BundledFiles } from '../assembly/bundled-files.ts';
import type { Aggregate } from '../domain/aggregate.ts';
import type { GitHub } from '../github/github.ts';
import type { ReportImage } from '../report/markdown/report.ts';
import type { RunFolder } from '../report/run-folder.ts';
import type { Journal } from './journal.ts';
import type { PublicationInputs } from './publication-inputs.ts';
import type { RunnerContext } from './runner-context.ts';
import type { Target } from './target.ts';

/** A result, and everything that telling of it needs. */
export interface Publication {
  readonly aggregate: Aggregate;
  readonly folder: RunFolder;
  readonly inputs: PublicationInputs;
  readonly runner: RunnerContext;
  readonly target: Target;
  /** Null without a token. */
  readonly github: GitHub | null;
  readonly files: BundledFiles;
  readonly journal: Journal;
  readonly setOutput: (name: string, value: string) => void;
  /** Whether the folder is uploaded at all. */
  readonly uploads: boolean;
  /** Address of the run that measured, when it is not this one. */
  readonly measuredBy?: string;
}

/** What of a result can be linked to, so far. */
export interface Links {
  readonly artifactUrl?: string;
  readonly images?: readonly ReportImage[];
}

/** How a part of the publication went. None of them fails the step. */
export type PartOutcome =
  | { readonly status: 'done'; readonly detail: string }
  | { readonly status: 'left'; readonly reason: string }
  /** The token may not. */
  | { readonly status: 'denied'; readonly reason: string; readonly permission: string }
  | { readonly status: 'failed'; readonly reason: string };
