import type { ApiFailure } from '../github/api-result.ts';
import type { PartOutcome } from './publication.ts';

/** @param permission what the token needs, as in a workflow's `permissions:` */
export const outcomeOfFailure = ({ status, reason }: ApiFailure, permission: string): PartOutcome =>
  status === 'denied' ? { status, reason, permission } : { status: 'failed', reason };
