// The notices that the licences of bundled packages ask for, of exactly what a build took in.
import { lstatSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Shipped beside the bundle, and so in no metafile. */
const shippedBeside = ['node_modules/@napi-rs/canvas', 'node_modules/dejavu-fonts-ttf'];

/** Known to say nothing of their terms: a dependency of @actions/artifact's own dependencies. */
const unlicensed = new Set(['buffers 0.1.1']);

/** Folders of the packages that esbuild's metafiles name as inputs, nested ones too. */
export function packageFolders(metafiles) {
  const inputs = metafiles.flatMap(({ inputs }) => Object.keys(inputs));
  const folders = inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  return [...new Set(folders)].sort();
}

/**
 * The text of THIRD_PARTY_LICENSES.txt: each package once, in the order of names, with the licence files it came with.
 * @throws {Error} where a package names no licence: it can't be shipped before somebody has looked
 */
export function thirdPartyLicenses(metafiles) {
  const entries = new Map();
  for (const folder of [...packageFolders(metafiles), ...shippedBeside]) {
    // a package of this repository is linked into node_modules, and under this repository's licence
    if (lstatSync(folder).isSymbolicLink()) continue;
    const { name, version, license, author, repository } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    );
    const texts = licenseTexts(folder);
    const terms = typeof license === 'string' ? license : license?.type;
    if (terms === undefined && texts.length === 0 && !unlicensed.has(`${name} ${version}`)) {
      throw new Error(`${folder} names no licence`);
    }
    const facts = [
      `${name} ${version}`,
      ...(terms === undefined && texts.length > 0 ? [] : [`Licence: ${terms ?? 'the package names none'}`]),
      ...(texts.length > 0 ? [] : [`By: ${nameOf(author) ?? addressOf(repository) ?? 'its contributors'}`]),
    ];
    entries.set(`${name} ${version}`, [facts.join('\n'), ...texts].join('\n\n'));
  }
  const line = `\n\n${'-'.repeat(80)}\n\n`;
  const sorted = [...entries].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
  return `${[heading, ...sorted].join(line)}\n`;
}

const heading = `What is bundled here, and under which terms. native/ holds the libraries of @napi-rs/canvas, which contain Skia
(BSD-3-Clause, https://skia.org/); fonts/ holds those of dejavu-fonts-ttf.`;

/** Licence and notice files of a package, line ends alike on every system. */
const licenseTexts = (folder) =>
  readdirSync(folder)
    .filter((file) => /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i.test(file) && !/\.(?:js|json|ts)$/.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim());

const nameOf = (author) => (typeof author === 'string' ? author : author?.name);
const addressOf = (repository) => (typeof repository === 'string' ? repository : repository?.url);
