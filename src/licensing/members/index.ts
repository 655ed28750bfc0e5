/**
 * Teams: the people who use a license besides its buyer. Each has a code of their own, mailed to their address, so that one who leaves changes nothing
 * for the others.
 */
export { MembersModule } from './members.module.js';
export { LicenseMembersRepository } from './license-members.repository.js';
export { TEAM_LINK_DAYS, TeamLinksService } from './team-links.service.js';
export { TeamService } from './team.service.js';
