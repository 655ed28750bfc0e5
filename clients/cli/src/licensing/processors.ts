import { answer, type Schema, type Service } from '../api/service.js';
import { Failure, usageFailure } from '../failure.js';
import { table } from '../terminal/table.js';
import type { Style } from '../terminal/style.js';
import { list, relative } from '../terminal/words.js';

export type Processor = Schema<'ProcessorSummary'>;
type Field = Schema<'FieldOfCredentials'>;

/** The address for all processors' notifications, and each processor. */
export const readProcessors = ({ client }: Service): Promise<Schema<'WebhookSummary'>> =>
  answer(client.GET('/api/v1/webhooks/processors'));

/** The processor that is meant by its id or its name. @throws Failure that names them all when none is */
export function chooseProcessor(processors: readonly Processor[], wanted: string): Processor {
  const key = wanted.toLowerCase();
  const found = processors.find(({ processor, title }) => processor === key || title.toLowerCase() === key);
  if (found !== undefined) return found;
  const hint = `The processors are ${list(processors.map(({ processor }) => processor))}.`;
  throw new Failure(`There is no payment processor "${wanted}".`, { hint });
}

/** The values of a credential. @param text JSON with the names of the fields, or the one secret that is required */
export function processorCredentials(form: readonly Field[], text: string): Record<string, unknown> {
  const secret = form.find(({ isSecret, isRequired }) => isSecret && isRequired);
  const trimmed = text.trim();
  if (!trimmed.startsWith('{')) return secret === undefined ? {} : { [secret.name]: trimmed };
  try {
    return JSON.parse(trimmed) as Record<string, unknown>;
  } catch {
    throw usageFailure('The key file is not valid JSON.');
  }
}

/** A field that is given as an option: `testMode=true`. @throws Failure for one that is secret or unknown, which is not repeated: it may be a secret */
export function openField(form: readonly Field[], text: string): readonly [string, unknown] {
  const [, name = text, value = ''] = /^(\w+)=(.+)$/.exec(text) ?? [];
  const field = form.find((each) => each.name === name);
  const open = form.filter(({ isSecret }) => !isSecret).map((each) => each.name);
  if (field === undefined || value === '')
    throw usageFailure(
      '--set sets no field of the credential.',
      `Write it as in ${open[0]}=true. The fields are ${list(open)}.`,
    );
  if (field.isSecret) throw usageFailure(`${name} is a secret and must not be passed as an option.`, 'Use --key-file.');
  return [name, field.isSwitch === true ? switchOf(name, value) : value];
}

function switchOf(name: string, value: string): boolean {
  if (value === 'true' || value === 'false') return value === 'true';
  throw usageFailure(`${name} is either true or false.`);
}

/** One row for each processor. */
export function processorTable(processors: readonly Processor[], style: Style, now: Date): string {
  const rows = processors.map(({ processor, credentials, last }) => [
    processor,
    credentials.length === 0 ? '—' : 'yes',
    last === null ? 'none yet' : `${last.status}, ${relative(last.receivedAt, now)}`,
  ]);
  return table(rows, style, { heads: ['PROCESSOR', 'CONNECTED', 'LAST NOTIFICATION'], whole: [0] });
}
