import { Command } from 'commander';
import { action, type Context } from '../context.js';
import { Failure } from '../failure.js';
import { campaignTable, listCampaigns, revokeCampaign } from '../licensing/batch.js';
import { findExtension } from '../publishing/extensions.js';
import { confirmed } from '../terminal/confirmed.js';
import { withExamples } from './example.js';
import { OF_EXTENSION } from './license-options.js';

/** Campaigns: the licenses that were issued for one occasion. */
export const campaignsCommand = (): Command =>
  withExamples(
    new Command('campaigns').description('Count the licenses of campaigns, and revoke those of one together.'),
    'pierhead campaigns',
    'pierhead campaigns revoke spring',
  )
    .addCommand(listing(), { isDefault: true })
    .addCommand(revoke());

const listing = (): Command =>
  withExamples(
    new Command('list')
      .description('List campaigns with how many licenses were issued, are used, active and revoked.')
      .option(...OF_EXTENSION)
      .action(action(listAll)),
    'pierhead campaigns list',
  );

async function listAll(context: Context, { extension: named }: { readonly extension?: string }): Promise<void> {
  const service = await context.service();
  const extension = named === undefined ? null : await findExtension(service, named, await context.project());
  const items = await listCampaigns(service, extension === null ? {} : { extension: extension.id });
  context.terminal.result({ items }, () =>
    items.length === 0
      ? 'There is no campaign. Begin one with: pierhead licenses issue-many --campaign spring --count 10'
      : campaignTable(items, context.terminal.style, new Date()),
  );
}

const revoke = (): Command =>
  withExamples(
    new Command('revoke')
      .description('Revoke all licenses of a campaign permanently, used ones included.')
      .argument('<campaign>', 'name of the campaign')
      .option('-y, --yes', 'revoke without confirming by the name')
      .action(action(revokeOne)),
    'pierhead campaigns revoke spring',
  );

async function revokeOne(context: Context, campaign: string, { yes }: { readonly yes?: true }): Promise<void> {
  const service = await context.service();
  const found = await listCampaigns(service, { campaign });
  if (found.length === 0)
    throw new Failure(`There is no campaign "${campaign}".`, { hint: 'pierhead campaigns lists them.' });
  const sum = (field: 'issued' | 'used' | 'revoked'): number => found.reduce((all, one) => all + one[field], 0);
  const left = sum('issued') - sum('revoked');
  const what = `This revokes ${left} licenses of ${campaign} for good, of which ${sum('used')} were used.`;
  if (!yes) await confirmed(context, { what, name: campaign, called: 'the name of the campaign' });
  const revoked = await revokeCampaign(service, campaign);
  context.terminal.result({ campaign, revoked }, () => `Revoked ${revoked} licenses of ${campaign}.`);
}
