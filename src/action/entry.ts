/** What the entries of both actions run: one bundle for all of them. */
export { runMain } from './run-main.ts';
export { runPost } from './run-post.ts';
export { runReport } from './run-report.ts';
