import type { Context } from '../context.js';
import { Failure, usageFailure } from '../failure.js';
import { addressesIn, batchCsv, issueBatch, type Batch } from '../licensing/batch.js';
import { expiryOf } from '../licensing/expiry.js';
import { choosePlan, plansOf } from '../licensing/plans.js';
import { intoPrivateFile } from '../licensing/private-file.js';
import { termsOf, type TermsOptions } from './license-options.js';

/** The options of licenses that are issued together. */
interface BatchOptions extends TermsOptions {
  readonly extension?: string;
  readonly count?: string;
  readonly emails?: string;
  readonly mail?: true;
  readonly gift?: true;
  readonly giftExpires?: string;
  readonly out?: string;
  readonly yes?: true;
}

/** Issues the licenses, once a mail to many is confirmed. */
export async function issueMany(context: Context, options: BatchOptions): Promise<void> {
  const { count, emails: file, mail, gift, giftExpires } = options;
  if ((count === undefined) === (file === undefined)) throw usageFailure('Give either --count or --emails.');
  if (mail && gift) throw usageFailure('Give either --mail or --gift.');
  const terms = termsOf(options);
  const whom = file === undefined ? { count: Number(count) } : { emails: addressesIn(await context.text(file)) };
  const links = giftExpires === undefined ? {} : { giftExpiresAt: expiryOf(giftExpires, new Date()) };
  const service = await context.service();
  const { extension, plans } = await plansOf(context, service, options);
  const plan = choosePlan(plans, options.plan);
  const delivery = mail ? 'mail' : gift ? 'gift' : 'code';
  const body = { planId: plan.id, ...whom, ...terms, ...links, delivery } as const;
  const most = whom.emails?.length ?? 0;
  if (mail && !options.yes && !(await context.ask.confirm(`Mail ${most} codes?`, '--yes')))
    throw new Failure('Nothing was issued.');
  await print(context, options.out, `of ${extension.name} (${plan.tier})`, () => issueBatch(service, body));
}

/** Prints what was issued, or keeps it in a file. */
async function print(
  { terminal, surroundings }: Context,
  file: string | undefined,
  of: string,
  send: () => Promise<Batch>,
): Promise<void> {
  const issued = await (file === undefined ? send() : intoPrivateFile(surroundings, file, send, batchCsv));
  const kept =
    issued.delivery === 'mail' ? ' Their codes are being mailed.' : file === undefined ? '' : ` They are in ${file}.`;
  terminal.note(`Issued ${issued.count} licenses ${of}.${kept}`);
  if (file === undefined) terminal.data(issued, () => batchCsv(issued).trimEnd());
  else
    terminal.result({ ...issued, items: issued.items.map((one) => ({ ...one, code: null, giftUrl: null })) }, () => '');
}
