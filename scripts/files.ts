// `npm run files [-- move | take-over]`: the terminal's own command.
process.argv.splice(2, 0, 'files')
await import('./balcao.ts')

export {}
