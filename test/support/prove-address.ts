import { DataSource, type World } from './app.js';

/** Has a user's address proven, as a link for a new password does, but keeps what the user has. */
export async function proveAddress(world: World, { userId }: { readonly userId: string }): Promise<void> {
  await world.app.get(DataSource).query('update tenant_user set email_verified_at = now() where id = $1', [userId]);
}
