import './reports.test.ts'
