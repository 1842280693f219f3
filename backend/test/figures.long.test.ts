import './figures.test.ts'
