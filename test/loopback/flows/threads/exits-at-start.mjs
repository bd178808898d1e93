import process from 'node:process';

process.exit(7);
