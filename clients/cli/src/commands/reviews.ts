import { Command, InvalidArgumentError, Option } from 'commander';
import { answer } from '../api/service.js';
import { action, type Context } from '../context.js';
import { usageFailure } from '../failure.js';
import { findExtension } from '../publishing/extensions.js';
import { listReviews, reviewTable, type Review } from '../publishing/reviews.js';
import { STORES } from '../stores.js';
import { withExamples } from './example.js';

/** Reviews: what users wrote at the stores. */
export const reviewsCommand = (): Command =>
  withExamples(
    new Command('reviews').description("List users' reviews at the stores, answer one, and mark them as read."),
    'pierhead reviews --unread',
    'pierhead reviews read --all',
  )
    .addCommand(listing(), { isDefault: true })
    .addCommand(answering())
    .addCommand(reading());

interface ListOptions {
  readonly extension?: string;
  readonly store?: Review['store'];
  readonly maxStars?: number;
  readonly unread?: true;
  readonly unanswered?: true;
  readonly all?: true;
}

const listing = (): Command =>
  withExamples(
    new Command('list')
      .description('List what users wrote at the stores, newest first, as Pierhead last read it.')
      .option('-e, --extension <name>', 'only those of this extension')
      .addOption(new Option('--store <id>', 'only those at it').choices([...STORES]))
      .option('--max-stars <number>', 'only those with at most so many stars', starsOf)
      .option('--unread', 'only those that nobody marked as read')
      .option('--unanswered', 'only those of which no answer is known')
      .option('--all', 'all of them, not only the newest 50')
      .action(action(listAll)),
    'pierhead reviews list --unread --max-stars 2',
  );

function starsOf(text: string): number {
  if (!/^[1-5]$/.test(text)) throw new InvalidArgumentError('It is a number from 1 to 5.');
  return Number(text);
}

async function listAll(context: Context, options: ListOptions): Promise<void> {
  const { extension, store, maxStars, unread, unanswered, all } = options;
  const service = await context.service();
  const own = extension === undefined ? null : await findExtension(service, extension, await context.project());
  const items = await listReviews(
    service,
    {
      ...(own === null ? {} : { extension: own.id }),
      ...(store === undefined ? {} : { store }),
      ...(maxStars === undefined ? {} : { maxStars }),
      ...(unread === true ? { unread: 'true' } : {}),
      ...(unanswered === true ? { answered: 'false' } : {}),
    },
    all === true,
  );
  context.terminal.result({ items }, () =>
    items.length === 0 ? 'There is no such review.' : reviewTable(items, context.terminal.style, new Date()),
  );
}

interface AnswerOptions {
  readonly text?: string;
  readonly withdraw?: true;
}

const answering = (): Command =>
  withExamples(
    new Command('answer')
      .description('Answer a review publicly, in place of an earlier answer, where the store takes answers by its API.')
      .argument('<review>', 'id of the review')
      .option('--text <text>', 'the answer, which everybody sees')
      .option('--withdraw', 'take the answer back instead')
      .action(action(answerOne)),
    'pierhead reviews answer 0199f0a6-5d2e-7c41-9c1e-5a4b7c2d8e90 --text "Thank you."',
  );

async function answerOne(context: Context, id: string, { text, withdraw }: AnswerOptions): Promise<void> {
  if ((text === undefined) === (withdraw === undefined)) throw usageFailure('Give either --text or --withdraw.');
  const { client } = await context.service();
  const params = { path: { id } };
  if (text === undefined) {
    await answer(client.DELETE('/api/v1/reviews/{id}/answer', { params }));
    context.terminal.result({ id, answer: null }, () => 'Took the answer back.');
    return;
  }
  const review = await answer(client.POST('/api/v1/reviews/{id}/answer', { params, body: { text } }));
  context.terminal.result(review, () =>
    review.answer?.state === 'published' ? 'The answer is public.' : 'The store has the answer, and shows it soon.',
  );
}

interface ReadOptions {
  readonly extension?: string;
  readonly all?: true;
}

const reading = (): Command =>
  withExamples(
    new Command('read')
      .description('Mark reviews as read. One that its user edits is unread again.')
      .argument('[reviews...]', 'ids of the reviews')
      .option('--all', 'all unread ones instead')
      .option('-e, --extension <name>', 'with --all: only those of this extension')
      .action(action(markRead)),
    'pierhead reviews read --all',
  );

async function markRead(context: Context, ids: readonly string[], { all, extension }: ReadOptions): Promise<void> {
  if (ids.length > 0 === (all === true)) throw usageFailure('Name reviews, or give --all.');
  if (extension !== undefined && !all) throw usageFailure('--extension needs --all.');
  const service = await context.service();
  const { client } = service;
  if (all !== true) {
    for (const id of ids) await answer(client.POST('/api/v1/reviews/{id}/read', { params: { path: { id } } }));
    context.terminal.result({ count: ids.length }, () => marked(ids.length));
    return;
  }
  const own = extension === undefined ? null : await findExtension(service, extension, await context.project());
  const body = own === null ? {} : { extensionId: own.id };
  const { count } = await answer(client.POST('/api/v1/reviews/read', { body }));
  context.terminal.result({ count }, () => marked(count));
}

const marked = (count: number): string => `Marked ${count === 1 ? 'one review' : `${count} reviews`} as read.`;
