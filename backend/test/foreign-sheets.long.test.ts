import './foreign-sheets.test.ts'
