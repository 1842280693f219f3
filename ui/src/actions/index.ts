export * from './register.ts'
export * from './shortcuts.ts'
