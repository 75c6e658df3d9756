import { SELECTED } from './cells.ts';
import { describeCells } from './describe-cells.ts';

describeCells(SELECTED.filter(({ down }) => down === 'stdio'));
