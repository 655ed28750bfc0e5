// Sends as many mails as it is told through four connections that stay open. Its arguments: the mail server's port, and how many.
import { createTransport } from 'nodemailer';

const [port, count] = process.argv.slice(2).map(Number);
const transport = createTransport({ host: '127.0.0.1', port, pool: true, maxConnections: 4, maxMessages: Infinity });
const text = 'Thank you for your purchase. Here is your code. '.repeat(20);

// Ends with the benchmark even when that is killed.
process.once('disconnect', () => process.exit());
process.send(port);
for (let at = 0; at < count; at += 1)
  void transport.sendMail({
    from: 'a@seller.example',
    to: `${at}@buyer.example`,
    subject: 'Your code',
    text,
    html: `<p>${text}</p>`,
  });
