/** SQL: joins to each `target` as `users.amount` what its store last counted of its users; null for one that is off. */
export const JOINED_USERS = `
      left join lateral (
        select amount from store_figure
         where target_id = target.id and target.enabled and metric = 'users' and dimension = '' order by day desc limit 1
      ) users on true`;
