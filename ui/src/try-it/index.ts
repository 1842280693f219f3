export { BotTryIt, CompanyTryIt } from './CompanyTryIt.tsx'
