import './report-figures.test.ts'
