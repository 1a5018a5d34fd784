import { describe, expect, it } from 'vitest';
import { withoutDefiner } from './definers.ts';
import { withKnownCollations } from './foreign-collations.ts';
import { modeAfter } from './mode-after.ts';
import { withoutDatabase } from './own-names.ts';
import { ruleFor, withDatabase } from './statement-rules.ts';

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .replaceAll(/\/\*m?!\d*|\*\/|`[^`]*`/g, ' ')
    .split(/\W+/)
    .filter(Boolean);
const rule = (text: string) => ruleFor(wordsOf(text), text);

describe('a statement', () => {
  it.each([
    'GRANT ALL ON *.* TO x',
    'CREATE USER x',
    'DROP ROLE x',
    'FLUSH PRIVILEGES',
    'LOCK TABLES `t` WRITE',
    'UNLOCK TABLES',
    'SET PASSWORD = 1',
    'CHANGE MASTER TO x',
  ])('%s is left out', (text) => {
    expect(rule(text)).toEqual({ does: 'leave out' });
  });

  it.each([
    'INSERT INTO t VALUES (1)',
    'CREATE TABLE `user` (id int)',
    'LOCK',
    'ALTER DATABASE CHARACTER SET latin1',
    'COMMIT',
  ])('%s is run', (text) => {
    expect(rule(text)).toEqual({ does: 'run' });
  });

  it.each([
    ['USE `my``shop`', 'my`shop'],
    ['use shop', 'shop'],
    ['CREATE DATABASE /*!32312 IF NOT EXISTS*/ `shop` /*!40100 DEFAULT CHARACTER SET utf8mb4 */', 'shop'],
    ['/*!40000 DROP DATABASE IF EXISTS `shop`*/', 'shop'],
    ['create schema shop', 'shop'],
  ])('%s names the database that it is about', (text, database) => {
    expect(rule(text)).toEqual({ does: 'leave out', database });
  });

  it('about another database is made to be about this one', () => {
    expect(rule('ALTER DATABASE `shop` CHARACTER SET latin1')).toEqual({ does: 'rename', database: 'shop' });
    expect(withDatabase('ALTER DATABASE `shop` CHARACTER SET latin1 /* `shop` */', 'mine')).toBe(
      'ALTER DATABASE mine CHARACTER SET latin1 /* `shop` */',
    );
  });
});

describe('a definer', () => {
  it.each([
    [
      'CREATE DEFINER=`root`@`localhost` PROCEDURE `p`() begin set @definer=`x`; end',
      'CREATE  PROCEDURE `p`() begin set @definer=`x`; end',
    ],
    ['CREATE OR REPLACE DEFINER = \'a\'@"%" FUNCTION f()', 'CREATE OR REPLACE  FUNCTION f()'],
    ['create definer=current_user() event e', 'create  event e'],
    ['CREATE DEFINER=root@localhost TRIGGER t', 'CREATE  TRIGGER t'],
    [
      '/*!50003 CREATE*/ /*!50017 DEFINER=`a``b`@`%`*/ /*!50003 TRIGGER',
      '/*!50003 CREATE*/ /*!50017 */ /*!50003 TRIGGER',
    ],
    [
      '/*!50001 CREATE ALGORITHM=UNDEFINED */\n/*!50013 DEFINER=`a`@`%` SQL SECURITY DEFINER */\n/*!50001 VIEW `v`',
      '/*!50001 CREATE ALGORITHM=UNDEFINED */\n/*!50013  SQL SECURITY DEFINER */\n/*!50001 VIEW `v`',
    ],
  ])('is taken out of %s', (text, expected) => {
    expect(withoutDefiner(text)).toBe(expected);
  });

  it('stays where it is none', () => {
    const text = 'CREATE PROCEDURE p() begin set definer=`a`@`b`; end';
    expect(withoutDefiner(text)).toBe(text);
  });
});

describe('what else is changed', () => {
  it('the orders of letters that MySQL 8 has, and MariaDB has not', () => {
    expect(withKnownCollations('a COLLATE utf8mb4_0900_ai_ci, b COLLATE=utf8mb4_de_pb_0900_as_cs')).toEqual([
      'a COLLATE utf8mb4_uca1400_ai_ci, b COLLATE=utf8mb4_uca1400_as_cs',
      'a COLLATE utf8mb4_unicode_520_ci, b COLLATE=utf8mb4_bin',
    ]);
    expect(withKnownCollations('COLLATE utf8mb4_unicode_ci')).toEqual([]);
  });

  it("a database's own name before that of a sequence", () => {
    expect(
      withoutDatabase("`a` int DEFAULT nextval(`shop`.`s`) COMMENT '`shop`.`s` it''s \\' `shop`.`s`'", 'shop'),
    ).toBe("`a` int DEFAULT nextval(`s`) COMMENT '`shop`.`s` it''s \\' `shop`.`s`'");
  });
});

describe('how quotes are read', () => {
  const usual = { backslashes: true, ansiQuotes: false };

  it.each([
    ["/*!50003 SET sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES' */", { backslashes: false, ansiQuotes: true }],
    ["/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO' */", usual],
    ['/*!50003 SET sql_mode = @saved_sql_mode */', usual],
  ])('after %s', (text, expected) => {
    expect(modeAfter({ words: ['set'], text }, usual)).toEqual(expected);
  });

  it('does not change with other settings', () => {
    const mode = { backslashes: false, ansiQuotes: true };
    expect(modeAfter({ words: ['set'], text: '/*!50003 SET @saved_sql_mode = @@sql_mode */' }, mode)).toBe(mode);
    expect(modeAfter({ words: ['insert'], text: "insert into t values ('sql_mode = @x')" }, mode)).toBe(mode);
  });
});
