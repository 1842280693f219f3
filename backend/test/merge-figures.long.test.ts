import './merge-figures.test.ts'
