/** A bit of everything that MariaDB has, to be written down and made again: a script for its client, for an empty database. */
export const everything = String.raw`
set sql_mode = '';
create table kinds (
  id bigint unsigned not null auto_increment primary key,
  ti tinyint, i int, bi bigint unsigned, zf int(6) zerofill, de decimal(40, 15), fl float, db double,
  ch char(10), vc varchar(200), tx text, mt mediumtext, lt longtext character set latin1, bn binary(4), vb varbinary(100),
  bl blob, lb longblob, bo boolean, bt bit(9), da date, ti6 time(6), dt datetime(6), ts timestamp null, ye year,
  en enum('a', 'it''s', 'ü', ''), se set('x', 'y z', 'w'), js json, pt point, ge geometry, po polygon,
  vi int generated always as (i * 2) virtual, st varchar(300) as (concat(vc, '!')) stored,
  hi int invisible default 7, u6 inet6, uu uuid,
  index (vc(10)), fulltext (tx), unique (bi), check (ti is null or ti < 100)
) auto_increment = 500 comment 'it''s; a "table" \\ ü';
insert into kinds (ti, i, bi, zf, de, fl, db, ch, vc, tx, mt, lt, bn, vb, bl, lb, bo, bt, da, ti6, dt, ts, ye, en, se, js, pt, ge, po, hi, u6, uu)
values
  (-128, 2147483647, 18446744073709551615, 42, -1234567890123456789012345.678901234567890, 3.4e38, 0.1 + 0.2, 'a  ',
   'emoji 😀 ''q'' "d" \\ \n\r\t\0 ;', ';-- # /* */ \\! delimiter //', '', 'latin ü', 0x00FF, 0x5C27220A00, 0x00, x'', true, b'101010101',
   '0000-00-00', '-838:59:59.999999', '9999-12-31 23:59:59.999999', '1970-01-01 00:00:01', 2155, 'it''s', 'x,y z', '{"a": [1, "ü\\n"]}',
   point(1.5, -2), st_geomfromtext('linestring(0 0, 1 1)'), st_geomfromtext('polygon((0 0,1 0,1 1,0 0))'), 9, '2001:db8::1', '123e4567-e89b-12d3-a456-426655440000'),
  (null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, '2024-02-00', null,
   '0000-00-00 00:00:00', null, 0, '', '', 'null', null, null, null, null, null, null);
insert into kinds (tx, lb) values (repeat('0123456789ü', 1000), repeat(0x00275C22, 200000));
insert into kinds (vc) values ('NULL'), ('\\N'), (char(0)), ('x'')('),('(),('), (_utf8mb4 0xF09F9880);

create table parents (a int, b int, primary key (a, b)) engine = InnoDB row_format = dynamic;
create table children (id int primary key, a int, b int, next int,
  constraint fk foreign key (a, b) references parents (a, b) on delete cascade,
  constraint self foreign key (next) references children (id));
insert into parents values (1, 1), (2, 2);
insert into children values (1, 1, 1, null), (2, 2, 2, 1);
update children set next = 2 where id = 1;
create table nothing (id int);
${"create table `we``ird '\"; -- name` (`a b` int, `ü` varchar(10) default 'it\\'s', `select` int);"}
${"insert into `we``ird '\"; -- name` values (1, 'x', 2);"}
create table parts (id int, at date) partition by range (year(at)) (
  partition p0 values less than (2020), partition p1 values less than maxvalue);
insert into parts values (1, '2019-01-01'), (2, '2024-01-01');
create table old (t varchar(50)) engine = MyISAM character set latin1 collate latin1_german1_ci;
insert into old values ('ä'), ('ß');
create table kept (id int primary key, v int) with system versioning;
insert into kept values (1, 1);
update kept set v = 2;
create sequence numbers start with 5 increment by 3;
do nextval(numbers);
create table later (id int default nextval(numbers), d datetime default (now()), e varchar(50) default (concat('a', ';')));

create view v1 as select id, vc from kinds where vc <> ';';
create algorithm = merge sql security invoker view v2 as select id from v1 where id > 0 with check option;
create view a_first as select * from v2;
delimiter //
create procedure p1(in n int, out m int) comment 'it''s; mine'
begin
  -- a comment; with 'quotes'
  declare x varchar(20) default "a;b";
  /* another ; one */
  if n > 0 then set m = n * 2; else set m = 0; end if;
end//
create function f1(n int) returns varchar(50) deterministic return concat('ü;', n)//
create trigger before_kind before insert on parents for each row
begin
  /* in a comment; */ set new.b = new.a;
end//
create trigger after_kind after insert on parents for each row set @seen = new.a//
create event sweep on schedule every 1 day starts '2024-01-01 00:00:00' disable comment 'daily' do begin delete from nothing; end//
delimiter ;
set sql_mode = 'NO_BACKSLASH_ESCAPES,ANSI_QUOTES';
delimiter $$
create procedure p2() begin select 'C:\'; select "id" from "kinds" where vc = 'a''b\'; end$$
delimiter ;
set sql_mode = '';
create procedure p3() select 'back to \'usual\';';
`;
