import { answer, everything, type Schema, type Service } from '../api/service.js';
import type { Context } from '../context.js';
import { Failure } from '../failure.js';
import { findLicense } from '../licensing/licenses.js';
import { hintOf } from '../licensing/line.js';
import { table } from '../terminal/table.js';
import type { Style } from '../terminal/style.js';
import { day, list } from '../terminal/words.js';

type Member = Schema<'LicenseMember'>;

/** People to invite and to remove, by address, and whether to make a link. */
interface MemberChanges {
  readonly add?: readonly string[];
  readonly link?: true;
  readonly remove?: readonly string[];
}

/** Lists the members of a license, after the changes. */
export async function members(
  context: Context,
  text: string,
  { add = [], link, remove = [] }: MemberChanges,
): Promise<void> {
  const service = await context.service();
  const { id } = await findLicense(service, text);
  const path = { id };
  const known = add.length + remove.length === 0 ? [] : await membersOf(service, id);
  const leaving = remove.map((address) => memberOf(known, address));
  for (const { id: memberId } of leaving)
    await answer(
      service.client.DELETE('/api/v1/licenses/{id}/members/{memberId}', { params: { path: { id, memberId } } }),
    );
  for (const email of add)
    await answer(service.client.POST('/api/v1/licenses/{id}/members', { params: { path }, body: { email } }));
  const made = link && (await answer(service.client.POST('/api/v1/licenses/{id}/members/link', { params: { path } })));
  const items = await membersOf(service, id);
  const { style } = context.terminal;
  context.terminal.result({ items, ...(made && { link: made }) }, () =>
    [memberTable(items, style, new Date()), ...(made ? [`Anyone who opens this link can join: ${made.url}`] : [])].join(
      '\n',
    ),
  );
}

const membersOf = (service: Service, id: string): Promise<readonly Member[]> =>
  everything((query) => service.client.GET('/api/v1/licenses/{id}/members', { params: { path: { id }, query } }));

/** @throws Failure that names the members when nobody has the address */
function memberOf(known: readonly Member[], address: string): Member {
  const found = known.find(({ email }) => email === address.trim().toLowerCase());
  if (found !== undefined) return found;
  const hint =
    known.length === 0 ? 'The license has no members.' : `Its members are ${list(known.map(({ email }) => email))}.`;
  throw new Failure(`No member of the license has the address ${address}.`, { hint });
}

function memberTable(known: readonly Member[], style: Style, now: Date): string {
  if (known.length === 0) return 'Nobody uses the license besides its buyer. Invite people with --add.';
  const rows = known.map((member) => [
    member.email,
    hintOf(member),
    String(member.devices),
    member.joinedAt === null ? 'invited' : `joined ${day(member.joinedAt, now)}`,
  ]);
  return table(rows, style, { heads: ['MEMBER', 'CODE', 'DEVICES', 'SINCE'], whole: [0, 1] });
}
