import { Global, Injectable, Module } from '@nestjs/common';
import { CountedUsers } from '../targets/index.js';
import { FiguresRepository } from './figures/figures.repository.js';

@Injectable()
class UsersOfFigures extends CountedUsers {
  constructor(private readonly figures: FiguresRepository) {
    super();
  }

  override of(targetIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    return this.figures.lastUsers(targetIds);
  }
}

/** Provides what targets ask about their users. Global, because targets cannot import a module above them. */
@Global()
@Module({
  providers: [FiguresRepository, { provide: CountedUsers, useClass: UsersOfFigures }],
  exports: [FiguresRepository, CountedUsers],
})
export class CountedUsersModule {}
