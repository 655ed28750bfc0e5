import { IntField } from '../../common/fields/index.js';

/** How many people may join the buyer of a license; null leaves it to the plan, or to nobody. */
export const MaxMembersField = (description: string, min: number, max: number): PropertyDecorator =>
  IntField({ description, min, max, optional: true, nullable: true });

/** How many devices each of them may use; null leaves it to the plan, or to the license. */
export const SeatsPerMemberField = (description: string, max: number): PropertyDecorator =>
  IntField({ description, min: 1, max, optional: true, nullable: true });
