// Express as it comes, with a JSON body and a constant answer. Started by bench/bench.mjs.
import express from 'express';

const app = express();
app.use(express.json());
app.get('/', (_request, response) => void response.json({ status: 'ok' }));

// Ends with the benchmark even when that is killed.
process.once('disconnect', () => process.exit());
const server = app.listen(0, '127.0.0.1', () => process.send(server.address().port));
