import { Command } from 'commander';
import { action, type Context } from '../context.js';
import { chosenTargets } from '../publishing/chosen.js';
import { pinnedFor } from '../publishing/pinned.js';
import { storeName } from '../stores.js';
import type { Style } from '../terminal/style.js';
import { withExamples } from './example.js';
import { EXTENSION } from './options.js';
import type { Schema } from '../api/service.js';

interface Options {
  readonly extension?: string;
}

/** The page of a store, and the text for each of its fields. */
interface PrivacyPage {
  readonly store: Schema<'Target'>['store'];
  readonly version: string;
  readonly url: string;
  readonly fields: Schema<'Artifact'>['privacyFields'];
}

/** Shows the texts for the privacy pages of stores, which no API can fill in. */
export const privacyCommand = (): Command =>
  withExamples(
    new Command('privacy')
      .description("Show the text for each field of the stores' privacy pages, to be copied there: they have no API.")
      .option(...EXTENSION)
      .action(action(privacy)),
    'pierhead privacy',
  );

async function privacy(context: Context, options: Options): Promise<void> {
  const { terminal } = context;
  const { service, extension, targets } = await chosenTargets(context, options.extension, []);
  const pinned = await pinnedFor(
    service,
    extension.id,
    targets.filter(({ privacyPage }) => privacyPage !== null),
  );
  const pages = pinned.flatMap(({ target: { store, privacyPage }, artifact: { version, privacyFields: fields } }) =>
    privacyPage === null || fields.length === 0 ? [] : [{ store, version, url: privacyPage, fields }],
  );
  const { id, name } = extension;
  terminal.data({ extension: { id, name }, pages }, () =>
    pages.length === 0
      ? `No justifications of ${name} were pushed. Write them into pierhead.json, and push.`
      : pages.map((page) => rendered(page, terminal.style)).join('\n\n'),
  );
}

const rendered = ({ store, version, url, fields }: PrivacyPage, style: Style): string =>
  [
    `${storeName(store)}, ${version}: copy each text into its field at ${url}`,
    ...fields.map(({ title, text }) => `\n${style('bold', title)}\n${text ?? style('yellow', 'No reason is given.')}`),
  ].join('\n');
