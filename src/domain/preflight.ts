/** An invariant that must hold before the trigger. Anything but `met` or `not-applicable` aborts the trial. */
export interface PreflightResult {
  readonly name: string;
  readonly status: 'met' | 'unmet' | 'unverifiable' | 'not-applicable';
  readonly detail: string;
}

export const blocksTrial = ({ status }: PreflightResult): boolean => status === 'unmet' || status === 'unverifiable';
