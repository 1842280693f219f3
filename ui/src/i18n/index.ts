export * from './core.ts'
export * from './dates.ts'
export { describeError } from './errors.ts'
