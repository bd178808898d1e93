import { createReadStream } from 'node:fs';
import { JSONParser } from '@streamparser/json';

/**
 * The value of a member of the object that a JSON file holds. Reading stops there, so that a large file is neither held
 * nor parsed whole; what comes after is not looked at. Undefined where there is no such member.
 *
 * @throws what reading throws, and an error of the parser where the file is no JSON up to there.
 */
export async function readJsonMember(path: string, name: string): Promise<unknown> {
  const parser = new JSONParser({ paths: [`$.${name}`], keepStack: false });
  const found: unknown[] = [];
  parser.onValue = ({ value }) => void found.push(value);
  const chunks: AsyncIterable<Buffer> = createReadStream(path);
  for await (const chunk of chunks) {
    parser.write(chunk);
    if (found.length > 0) break;
  }
  return found[0];
}
