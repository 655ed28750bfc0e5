import { Column, Entity, Index, Unique } from 'typeorm';
import { Row } from '../../../common/database/index.js';

/** A token of a CI service that was traded, kept until it would have expired: each is traded once. */
@Entity('traded_ci_token')
@Unique(['digest'])
@Index(['expiresAt'])
export class TradedCiTokenEntity extends Row {
  @Column('bytea')
  digest!: Buffer;

  @Column('timestamptz')
  expiresAt!: Date;
}
