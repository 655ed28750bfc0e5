import { Injectable } from '@nestjs/common';
import { Transactions } from '../../../common/database/index.js';

/** A user as the operator sees it. */
export interface UserLine {
  readonly email: string;
  /** Each tenant with the user's role in it. */
  readonly tenants: readonly string[];
  readonly hasPassword: boolean;
  readonly hasSecondFactor: boolean;
  readonly hasIdentity: boolean;
  readonly isOperator: boolean;
  readonly createdAt: Date;
}

/** A tenant as the operator sees it. */
export interface TenantLine {
  readonly id: string;
  readonly name: string;
  readonly quota: string;
  readonly owners: readonly string[];
  readonly members: number;
  readonly createdAt: Date;
}

/** Queries of the operator about all tenants. Raw SQL: each list is one statement that also gathers what belongs to each row. */
@Injectable()
export class OperatorRepository {
  constructor(private readonly tx: Transactions) {}

  /** Lists all users, oldest first. */
  users(): Promise<readonly UserLine[]> {
    return this.tx.query(`
      select u.email,
             array(select t.name || ' (' || m.role || ')' from membership m join tenant t on t.id = m.tenant_id
                    where m.user_id = u.id order by m.id) as tenants,
             u.password_hash is not null as "hasPassword",
             exists (select from second_factor f where f.user_id = u.id and f.confirmed_at is not null) as "hasSecondFactor",
             exists (select from user_identity i where i.user_id = u.id) as "hasIdentity",
             u.is_operator as "isOperator",
             u.created_at as "createdAt"
        from tenant_user u order by u.id`);
  }

  /** Lists all tenants, oldest first. */
  tenants(): Promise<readonly TenantLine[]> {
    return this.tx.query(`
      select t.id, t.name, t.quota,
             array(select u.email from membership m join tenant_user u on u.id = m.user_id
                    where m.tenant_id = t.id and m.role = 'owner' order by m.id) as owners,
             (select count(*)::int from membership m where m.tenant_id = t.id) as members,
             t.created_at as "createdAt"
        from tenant t order by t.id`);
  }

  /** Finds up to two tenants by id or exact name, the one with the id first: another tenant may have it as its name. */
  findTenants(idOrName: string): Promise<readonly { readonly id: string; readonly name: string }[]> {
    return this.tx.query(
      'select id, name from tenant where id::text = $1 or name = $1 order by id::text = $1 desc limit 2',
      [idOrName],
    );
  }
}
