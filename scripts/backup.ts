// `npm run backup -- create | verify | restore`: the terminal's own command.
process.argv.splice(2, 0, 'backup')
await import('./balcao.ts')

export {}
