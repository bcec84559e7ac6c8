// This is loaded before a tool, because an older Node cannot read TypeScript and would fail with a confusing message.
const [major = '0'] = process.versions.node.split('.');
if (Number(major) < 24) {
  console.error(
    `This needs Node 24, and Node ${process.versions.node} runs it. Use the npm scripts (npm start, npm test, …), ` +
      'which bring their own, or put node_modules/.bin first in PATH.',
  );
  process.exit(1);
}
