import { STORE_IDS } from '../support/app.js';
import { BENCHES } from './benches.js';
import { storeContract } from './store.contract.js';

for (const id of STORE_IDS)
  for (const [name, start] of Object.entries(BENCHES[id])) storeContract(`${id} ${name}`, start);
