import './figure-races.test.ts'
