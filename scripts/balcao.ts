// `npm run balcao -- <command>`: the terminal's program, from its source.
process.env.NODE_ENV ??= 'production'
process.chdir(process.env.INIT_CWD ?? process.cwd())
await import('../cli/src/main.ts')

export {}
