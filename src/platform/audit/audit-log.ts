import { Injectable } from '@nestjs/common';
import { currentActor, workContext, type Actor } from '../../common/access/index.js';
import { CountryResolver } from '../../common/http/index.js';
import { Transactions } from '../../common/database/index.js';
import { Clock } from '../../common/system/index.js';
import { AuditEntriesRepository } from './audit-entries.repository.js';
import type { AuditEntryEntity } from './audit-entry.entity.js';
import { auditId } from './audit-id.js';
import { changedFields, hasChanged, type Fields, type KeptChange } from './changes.js';
import { subjectTypeOf, SUBJECTS, type Action } from './subjects.js';

/** Filters that name a buyer or a purchase, which an entry, since nobody can erase it, must not. */
const NAMES_PEOPLE = new Set(['email', 'search', 'source', 'order', 'actorId']);
const GIVEN = '(given)';

/** Entries that one transaction deletes. */
const BATCH = 1000;

/** Subject of an action: its row. */
interface Subject {
  readonly id: string;
  /** The extension that it belongs to, if it belongs to one. */
  readonly extensionId?: string | null;
}

/** The row before the change, after it, or both. */
interface Change {
  readonly before?: object;
  readonly after?: object;
}

type SubjectChange = Change & { readonly subject: Subject };

/** Records who changed what, in the transaction of the change, and who read what in bulk. */
@Injectable()
export class AuditLog {
  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly entries: AuditEntriesRepository,
    private readonly countries: CountryResolver,
  ) {}

  /**
   * Records an action of the current actor, with the fields of both rows that are marked `@Audited`. Records nothing when the rows are equal, or when
   * the actor is a buyer or the service itself.
   * @throws Error outside a transaction, or in a request whose caller is unknown
   */
  record(tenantId: string, action: Action, subject: Subject, change: Change = {}): Promise<void> {
    return this.recordAll(tenantId, action, [{ ...change, subject }]);
  }

  /** Records an action on several rows with one statement, as above. */
  async recordAll(tenantId: string, action: Action, changes: readonly SubjectChange[]): Promise<void> {
    if (!this.tx.isRunning) throw new Error(`${action} must be recorded in the transaction of the change`);
    const changed = changes.filter(
      ({ before, after }) => before === undefined || after === undefined || hasChanged(before, after),
    );
    const kept = this.entries.keptFieldsOf(subjectTypeOf(action));
    await this.insert(
      tenantId,
      action,
      changed.map(({ subject, before, after }) => ({ subject, ...changedFields(kept, before, after) })),
    );
  }

  /**
   * Records that data of many people, or all of one, is about to leave: before it does, so that no lost connection hides it.
   * @param filter what the caller chose it by; of what names a person, an entry keeps only that it was given
   * @param count rows that leave
   */
  recordRead(tenantId: string, action: Action, subject: Subject, filter: Fields, count: number): Promise<void> {
    const given = Object.entries(filter).filter(([, value]) => value !== undefined);
    const kept = given.map(([name, value]) => [name, NAMES_PEOPLE.has(name) ? GIVEN : value]);
    return this.insert(tenantId, action, [
      { subject, before: null, after: { filter: Object.fromEntries(kept) as Fields, count } },
    ]);
  }

  private async insert(
    tenantId: string,
    action: Action,
    entries: readonly (KeptChange & { readonly subject: Subject })[],
  ): Promise<void> {
    const actor = recordedActor(action);
    if (actor === null || entries.length === 0) return;
    const at = this.clock.now();
    const subjectType = subjectTypeOf(action);
    const common = { tenantId, at, ...columnsOf(actor), ...this.origin(), action, subjectType };
    await this.entries.insert(
      entries.map(({ subject, before, after }) => ({
        ...common,
        id: auditId(at),
        subjectId: subject.id,
        subjectName: nameIn(subject, SUBJECTS[subjectType].name),
        extensionId: subjectType === 'extension' ? subject.id : (subject.extensionId ?? null),
        before,
        after,
      })),
    );
  }

  /** Deletes a batch of the entries of a tenant that is being deleted. @returns whether there were any */
  async forget(tenantId: string): Promise<boolean> {
    return (await this.entries.deleteOf(tenantId, BATCH)) > 0;
  }

  private origin(): Pick<AuditEntryEntity, 'address' | 'country' | 'requestId'> {
    const { address = null, headers = {}, requestId = null } = workContext();
    return { address, country: address === null ? null : this.countries.countryOf(headers, address), requestId };
  }
}

/** Returns the current actor; null for one whose actions are not recorded. @throws Error in a request whose caller is unknown */
function recordedActor(action: Action): Acting | null {
  const actor = currentActor();
  if (actor.kind === 'service' && workContext().requestId !== undefined)
    throw new Error(`The caller of ${action} is unknown`);
  return actor.kind === 'buyer' || actor.kind === 'service' ? null : actor;
}

const nameOf = (actor: Acting): string => ('name' in actor ? actor.name : actor.kind);

type Acting = Exclude<Actor, { readonly kind: 'buyer' | 'service' }>;

const columnsOf = (
  actor: Acting,
): Pick<AuditEntryEntity, 'actorKind' | 'actorId' | 'actorName' | 'actorRole' | 'sessionId'> => ({
  actorKind: actor.kind,
  actorId: 'id' in actor ? actor.id : nameOf(actor),
  actorName: nameOf(actor),
  actorRole: 'role' in actor ? actor.role : null,
  sessionId: actor.kind === 'user' ? actor.sessionId : null,
});

function nameIn(subject: object, field: string | null): string | null {
  const name: unknown = field === null ? null : (subject as Readonly<Record<string, unknown>>)[field];
  return typeof name === 'string' ? name : null;
}
