import { markup, EMPTY_HTML, type Html, type PageAnswer } from '../../../common/http/index.js';
import type { Brand } from '../../branding/index.js';
import { TEAM_LINK_DAYS } from '../../members/index.js';
import type { BuyerLicense, BuyerTeam } from '../buyer-licenses.service.js';
import { lookOf } from '../buyer-look.js';
import { dayOf, form, hiddenFields, pageWith } from '../buyer-parts.js';
import type { Buyer } from '../sign-in/index.js';

/** Shows a link by which people join. @param home the path of the buyers' pages, here as below */
export const linkPage = (home: string, link: string, brand: Brand | null): PageAnswer =>
  pageWith(
    lookOf(brand),
    'A link to share',
    markup`<p>Copy it now: it is not shown again. Anyone with the link can join your license for ${TEAM_LINK_DAYS} days. A link that you made before no longer works.</p>
      <p class="code">${link}</p>
      <p><a href="${home}/licenses">Back to my licenses</a></p>`,
  );

/** Asks who joins. */
export const joinPage = (home: string, token: string, brand: Brand | null): PageAnswer =>
  pageWith(
    lookOf(brand),
    'Join a license',
    markup`<p>Somebody shares a license with you. Enter your e-mail address, and we will send you a code of your own.</p>
      <form method="post" action="${home}/team/join">
        <input type="hidden" name="token" value="${token}" />
        <label for="email">E-mail address</label>
        <input id="email" name="email" type="email" autocomplete="email" required maxlength="254" />
        <button>Send me my code</button>
      </form>`,
  );

/** Answers who has joined. */
export const joinedPage = (home: string, brand: Brand | null): PageAnswer =>
  pageWith(
    lookOf(brand),
    'Check your inbox',
    markup`<p>We have sent your code to that address. If you had joined before, use the code that you have, or <a href="${home}">get a new one</a>.</p>`,
  );

/** The people on a license, for its buyer. */
export function teamPart(home: string, { id, status }: BuyerLicense, team: BuyerTeam, buyer: Buyer): Html {
  const { maxMembers, members } = team;
  const isOpen = members.length < maxMembers && status !== 'revoked';
  return markup`<h3>${members.length} of ${maxMembers} ${maxMembers === 1 ? 'person' : 'people'} besides you</h3>
    ${
      members.length > maxMembers
        ? markup`<p class="second">All of them stay, but nobody can join until there are fewer than ${maxMembers || 1}.</p>`
        : EMPTY_HTML
    }
    <ul>
      ${members.map(
        (member) =>
          markup`<li class="row">
            <span><bdi>${member.email}</bdi><br /><small>${
              member.joinedAt === null
                ? markup`invited ${dayOf(member.createdAt)}`
                : markup`joined ${dayOf(member.joinedAt)}, ${member.devices} ${member.devices === 1 ? 'device' : 'devices'}`
            }</small></span>
            ${form(home, 'team/remove', buyer, { license: id, member: member.id }, 'Remove', member.email)}
          </li>`,
      )}
    </ul>
    ${isOpen ? inviting(home, id, buyer) : EMPTY_HTML}`;
}

const inviting = (home: string, license: string, buyer: Buyer): Html =>
  markup`<details>
    <summary>Share this license</summary>
    <form method="post" action="${home}/team/invite">
      ${hiddenFields(buyer, { license })}
      <label for="invite-${license}">E-mail address</label>
      <input id="invite-${license}" name="email" type="email" autocomplete="off" required maxlength="254" />
      <button>Send a code</button>
    </form>
    ${form(home, 'team/link', buyer, { license }, 'Get a link to share')}
  </details>`;
