import './run.test.ts'
