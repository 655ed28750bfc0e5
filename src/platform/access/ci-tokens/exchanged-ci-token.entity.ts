import { Column, Entity, Index, Unique } from 'typeorm';
import { NotExported, Row } from '../../../common/database/index.js';

/** A token of a CI service that was exchanged, kept until it would have expired: each is exchanged once. */
@Entity('exchanged_ci_token')
@NotExported('service')
@Unique(['digest'])
@Index(['expiresAt'])
export class ExchangedCiTokenEntity extends Row {
  @Column('bytea')
  digest!: Buffer;

  @Column('timestamptz')
  expiresAt!: Date;
}
