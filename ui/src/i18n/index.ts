export { Trans } from 'react-i18next'
export * from './core.ts'
export * from './dates.ts'
export { errorText } from './errors.ts'
